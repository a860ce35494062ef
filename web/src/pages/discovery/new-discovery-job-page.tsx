import { useNavigate } from '@tanstack/react-router';
import { useAction } from '../../api/use-action.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { DiscoveryJobForm } from './discovery-job-form.tsx';

export default function NewDiscoveryJobPage() {
  const navigate = useNavigate();
  const create = useAction('createDiscoveryJob', {
    quiet: true,
    done: 'Repository added. First scan queued.',
  });
  return (
    <>
      <PageHeader
        title="Add repository"
        parent={{ to: '/discovery', title: 'Discovery' }}
        about="An agent reads the repository and lists the versions in it. Nothing is monitored until you accept it."
      />
      <DiscoveryJobForm
        submit="Add repository"
        save={async (body) => {
          const job = await create.mutateAsync({ body });
          await navigate(resourceLink('discovery_job', job.id));
        }}
        onCancel={() => void navigate({ to: '/discovery' })}
      />
    </>
  );
}
