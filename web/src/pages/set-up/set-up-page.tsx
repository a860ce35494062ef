import { useSearch } from '@tanstack/react-router';
import { useApi } from '../../api/use-api.ts';
import { useCan } from '../../api/use-me.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Section } from '../../ui/facts.tsx';
import { AddSoftware } from './add-software.tsx';
import { ChannelStep } from './channel-step.tsx';

/** From nothing to the first useful alert: software, and a channel for its alerts. */
export default function SetUpPage() {
  const { alert_config_id } = useSearch({ from: '/shell/set-up' });
  return (
    <AddSoftware
      page="/set-up"
      alertConfigId={alert_config_id}
      title="Guided setup"
      about="Add your first software and a channel for its alerts. You can leave at any time; Pacekeeper keeps what you entered."
    >
      <Section title="Notifications">
        <Channel />
      </Section>
    </AddSoftware>
  );
}

function Channel() {
  const canWrite = useCan('member');
  const settings = useApi('getNotificationSettings', undefined, { enabled: canWrite });
  const routes = useApi('listNotificationRules', { query: { is_active: true, limit: 1 } });
  return (
    <Loaded query={settings}>
      {({ default_channel_id }) => (
        <ChannelStep
          defaultChannelId={default_channel_id}
          hasNotificationRules={(routes.data?.total ?? 0) > 0}
        />
      )}
    </Loaded>
  );
}
