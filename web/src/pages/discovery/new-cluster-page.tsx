import { useNavigate } from '@tanstack/react-router';
import { useAction } from '../../api/use-action.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { ClusterForm } from './live-job-form.tsx';

export default function NewClusterPage() {
  const navigate = useNavigate();
  const create = useAction('createDiscoveryJob', { quiet: true, done: 'Cluster added' });
  return (
    <>
      <PageHeader
        title="Add cluster"
        parent={{ to: '/discovery', title: 'Discovery' }}
        about="An agent in the cluster lists its workloads and nodes, with read-only access. The next page shows how to install it."
      />
      <ClusterForm
        submit="Add cluster"
        save={async (body) => {
          const job = await create.mutateAsync({ body });
          await navigate(resourceLink('discovery_job', job.id));
        }}
        onCancel={() => void navigate({ to: '/discovery' })}
      />
    </>
  );
}
