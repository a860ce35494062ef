import { useAction } from '../api/use-action.ts';
import { Dialog } from '../ui/dialog.tsx';
import { criteriaOf, type SilencedAlert } from './silence-criteria.ts';
import { SilenceForm } from './silence-form.tsx';

/**
 * Dialog that creates a silence.
 * @param alerts Selected alerts. The initial criteria match them.
 */
export function SilenceDialog({
  alerts,
  onClose,
  onDone = onClose,
}: {
  alerts?: readonly SilencedAlert[];
  onClose: () => void;
  onDone?: () => void;
}) {
  const create = useAction('createSilence', { quiet: true, done: 'Silence created' });
  return (
    <Dialog onClose={onClose} title="New silence" size="xl">
      <SilenceForm
        {...(alerts && { alerts, criteria: criteriaOf(alerts) })}
        submit="Create silence"
        save={async (body) => {
          await create.mutateAsync({ body });
          onDone();
        }}
        onCancel={onClose}
      />
    </Dialog>
  );
}
