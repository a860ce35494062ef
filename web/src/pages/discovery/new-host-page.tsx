import { useNavigate } from '@tanstack/react-router';
import { useAction } from '../../api/use-action.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { HostForm } from './live-job-form.tsx';

export default function NewHostPage() {
  const navigate = useNavigate();
  const create = useAction('createDiscoveryJob', { quiet: true, done: 'Container host added' });
  return (
    <>
      <PageHeader
        title="Add container host"
        parent={{ to: '/discovery', title: 'Discovery' }}
        about="An agent on the host lists the images of its Docker or Podman containers. The next page shows how to run it."
      />
      <HostForm
        submit="Add container host"
        save={async (body) => {
          const job = await create.mutateAsync({ body });
          await navigate(resourceLink('discovery_job', job.id));
        }}
        onCancel={() => void navigate({ to: '/discovery' })}
      />
    </>
  );
}
