import { useNavigate } from '@tanstack/react-router';
import { useAction } from '../../api/use-action.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { HelmSyncJobForm } from './helm-sync-job-form.tsx';

export default function NewHelmSyncJobPage() {
  const navigate = useNavigate();
  const create = useAction('createHelmSyncJob', {
    quiet: true,
    done: 'The helm sync job is made, and its first run is on the way.',
  });
  return (
    <>
      <PageHeader
        title="New helm sync job"
        parent={{ to: '/helm-sync-jobs', title: 'Helm sync jobs' }}
        about="Follows a whole Helm repository at once."
      />
      <HelmSyncJobForm
        submit="Create helm sync job"
        save={async (body) => {
          const job = await create.mutateAsync({ body });
          await navigate({ to: '/helm-sync-jobs/$id', params: { id: String(job.id) } });
        }}
        onCancel={() => void navigate({ to: '/helm-sync-jobs' })}
      />
    </>
  );
}
