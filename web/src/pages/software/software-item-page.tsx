import { useParams, useSearch } from '@tanstack/react-router';
import { useApi } from '../../api/use-api.ts';
import { SoftwareItem } from './software-item.tsx';

const parent = { to: '/software', title: 'Software' } as const;

/** Page of a deployed item. The search parameter selects one of its monitors. By default, that's the worst one. */
export default function SoftwareItemPage() {
  const { id } = useParams({ from: '/shell/software/$id' });
  const { monitor } = useSearch({ from: '/shell/software/$id' });
  const chosen = useApi(
    'getAlertConfig',
    { path: { id: Number(monitor) } },
    { enabled: monitor !== undefined && /^\d+$/u.test(monitor) },
  );
  // A link to a monitor that was deleted, or that now compares other software, shows the worst monitor.
  const config = chosen.data?.scrape_job_id === Number(id) ? chosen.data : undefined;
  return <SoftwareItem jobId={Number(id)} config={config} parent={parent} />;
}
