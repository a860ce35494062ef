import { useNavigate } from '@tanstack/react-router';
import { useAction } from '../../api/use-action.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { GroupForm } from './group-form.tsx';

export default function NewGroupPage() {
  const navigate = useNavigate();
  const create = useAction('createDiscoveryJob', { quiet: true, done: 'Organization added' });
  return (
    <>
      <PageHeader
        title="Add organization"
        parent={{ to: '/discovery', title: 'Discovery' }}
        about="Follows the repositories of a GitHub organization, a GitLab group, or a Gitea or Forgejo organization. Each repository is scanned after a push."
      />
      <GroupForm
        submit="Add organization"
        save={async (body) => {
          const job = await create.mutateAsync({ body });
          await navigate(resourceLink('discovery_job', job.id));
        }}
        onCancel={() => void navigate({ to: '/discovery' })}
      />
    </>
  );
}
