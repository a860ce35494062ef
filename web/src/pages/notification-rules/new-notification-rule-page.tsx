import { useNavigate } from '@tanstack/react-router';
import { useAction } from '../../api/use-action.ts';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { NotificationRuleForm } from './notification-rule-form.tsx';
import { useRulesInOrder } from './use-rules-in-order.ts';

export default function NewNotificationRulePage() {
  const navigate = useNavigate();
  const create = useAction('createNotificationRule', { quiet: true, done: 'Notification rule created' });
  const inOrder = useRulesInOrder();
  return (
    <>
      <PageHeader
        title="New notification rule"
        parent={{ to: '/notification-rules', title: 'Notification rules' }}
        about="Route alerts to channels."
      />
      <Loaded query={inOrder}>
        {({ rules }) => (
          <NotificationRuleForm
            // New rules are evaluated last. The gap of 10 leaves space for inserting other rules before them later.
            priority={Math.min((rules.at(-1)?.priority ?? 0) + 10, 1_000_000)}
            submit="Create notification rule"
            save={async (body) => {
              await create.mutateAsync({ body });
              await navigate({ to: '/notification-rules' });
            }}
            onCancel={() => void navigate({ to: '/notification-rules' })}
          />
        )}
      </Loaded>
    </>
  );
}
