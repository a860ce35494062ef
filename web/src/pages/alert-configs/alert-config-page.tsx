import { useParams } from '@tanstack/react-router';
import { useApi } from '../../api/use-api.ts';
import { Loaded } from '../../components/loaded.tsx';
import { SoftwareItem } from '../software/software-item.tsx';

const parent = { to: '/alert-configs', title: 'Monitors' } as const;

/** Page of the software that a monitor compares, with the result and the settings of this monitor. */
export default function AlertConfigPage() {
  const { id } = useParams({ from: '/shell/alert-configs/$id' });
  const config = useApi('getAlertConfig', { path: { id: Number(id) } });
  return (
    <Loaded query={config} parent={parent}>
      {(found) => (
        <SoftwareItem jobId={found.scrape_job_id} config={found} title={found.name} parent={parent} />
      )}
    </Loaded>
  );
}
