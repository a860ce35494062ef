import { useParams } from '@tanstack/react-router';
import { useApi } from '../../api/use-api.ts';
import { Loaded } from '../../components/loaded.tsx';
import { SoftwareItem } from '../software/software-item.tsx';

const parent = { to: '/alerts', title: 'Alerts' } as const;

/** Page of the software that an alert is about, with the activity of this alert. */
export default function AlertPage() {
  const { id } = useParams({ from: '/shell/alerts/$id' });
  const alert = useApi('getAlert', { path: { id: Number(id) } });
  const config = useApi(
    'getAlertConfig',
    { path: { id: alert.data?.alert_config_id ?? 0 } },
    { enabled: alert.data !== undefined },
  );
  return (
    <Loaded query={alert} parent={parent}>
      {(found) => (
        <Loaded query={config}>
          {(of) => (
            <SoftwareItem
              jobId={of.scrape_job_id}
              config={of}
              alert={found}
              title={found.alert_config_name}
              parent={parent}
            />
          )}
        </Loaded>
      )}
    </Loaded>
  );
}
