import { useNavigate } from '@tanstack/react-router';
import { useAction } from '../../api/use-action.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { RuleForm } from './rule-form.tsx';

export default function NewRulePage() {
  const navigate = useNavigate();
  const create = useAction('createRule', { quiet: true, done: 'Rule created' });
  return (
    <>
      <PageHeader
        title="New rule"
        parent={{ to: '/rules', title: 'Rules' }}
        about="Define how far behind is too far."
      />
      <RuleForm
        submit="Create rule"
        save={async (body) => {
          const rule = await create.mutateAsync({ body });
          await navigate(resourceLink('rule', rule.id));
        }}
        onCancel={() => void navigate({ to: '/rules' })}
      />
    </>
  );
}
