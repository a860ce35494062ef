import { useNavigate } from '@tanstack/react-router';
import { useAction } from '../../api/use-action.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { HelmSyncJobForm } from './helm-sync-job-form.tsx';

export default function NewHelmSyncJobPage() {
  const navigate = useNavigate();
  const create = useAction('createHelmSyncJob', {
    quiet: true,
    done: 'Helm repository created. First sync queued.',
  });
  return (
    <>
      <PageHeader
        title="New Helm repository"
        parent={{ to: '/helm-sync-jobs', title: 'Helm repositories' }}
        about="Track all charts in a Helm repository."
      />
      <HelmSyncJobForm
        submit="Create Helm repository"
        save={async (body) => {
          const job = await create.mutateAsync({ body });
          await navigate(resourceLink('helm_sync_job', job.id));
        }}
        onCancel={() => void navigate({ to: '/helm-sync-jobs' })}
      />
    </>
  );
}
