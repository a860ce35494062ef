import { useSearch } from '@tanstack/react-router';
import { useRef } from 'react';
import { AddSoftware } from './add-software.tsx';
import { ChannelSection, type ChannelStepHandle } from './channel-step.tsx';

/** Setup of a single version, with a channel for its alerts. */
export default function SetUpPage() {
  const { alert_config_id } = useSearch({ from: '/shell/set-up' });
  const channel = useRef<ChannelStepHandle>(null);
  return (
    <AddSoftware
      page="/set-up"
      alertConfigId={alert_config_id}
      title="Add software"
      about="Add one deployed version, and a channel for its alerts. You can leave at any time; Pacekeeper keeps what you entered."
      completeOthers={async () => (await channel.current?.complete()) ?? true}
    >
      <ChannelSection handle={channel} />
    </AddSoftware>
  );
}
