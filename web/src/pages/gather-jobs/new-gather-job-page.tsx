import { useNavigate } from '@tanstack/react-router';
import { useAction } from '../../api/use-action.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { GatherJobForm } from './gather-job-form.tsx';

export default function NewGatherJobPage() {
  const navigate = useNavigate();
  const create = useAction('createGatherJob', {
    quiet: true,
    done: 'The gather job is made, and its first run is on the way.',
  });
  return (
    <>
      <PageHeader
        title="New gather job"
        parent={{ to: '/gather-jobs', title: 'Gather jobs' }}
        about="Follows the releases of one thing upstream."
      />
      <GatherJobForm
        submit="Create gather job"
        save={async (body) => {
          const job = await create.mutateAsync({ body });
          await navigate({ to: '/gather-jobs/$id', params: { id: String(job.id) } });
        }}
        onCancel={() => void navigate({ to: '/gather-jobs' })}
      />
    </>
  );
}
