import { useNavigate } from '@tanstack/react-router';
import { useAction } from '../../api/use-action.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { GatherJobForm } from './gather-job-form.tsx';

export default function NewGatherJobPage() {
  const navigate = useNavigate();
  const create = useAction('createGatherJob', {
    quiet: true,
    done: 'Upstream source created. First run queued.',
  });
  return (
    <>
      <PageHeader
        title="New upstream source"
        parent={{ to: '/gather-jobs', title: 'Upstream sources' }}
        about="Track the releases of one artifact."
      />
      <GatherJobForm
        submit="Create upstream source"
        save={async (body) => {
          const job = await create.mutateAsync({ body });
          await navigate(resourceLink('gather_job', job.id));
        }}
        onCancel={() => void navigate({ to: '/gather-jobs' })}
      />
    </>
  );
}
