import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useHasRole } from '../../api/use-me.ts';
import { MemberSelect } from '../../components/member-select.tsx';

/** Shows the assignee of an alert. Members can change the assignee while the alert is open. */
export function AssigneeField({ alert: { id, assignee, status } }: { alert: Schemas['Alert'] }) {
  const isAllowed = useHasRole('member');
  const assign = useAction('assignAlert', {
    done: ({ assignee: next }) => (next === null ? 'Alert unassigned' : `Assigned to ${next.name}`),
  });
  if (!isAllowed || status === 'resolved') return assignee?.name ?? 'No one';
  return (
    <MemberSelect
      aria-label="Assignee"
      size="xs"
      w={200}
      value={assignee?.id ?? null}
      disabled={assign.isPending}
      onChange={(member_id) => assign.mutate({ path: { id }, body: { member_id } })}
    />
  );
}
