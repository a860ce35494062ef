import { useAction } from '../api/use-action.ts';
import { Dialog } from '../ui/dialog.tsx';
import type { SilenceCriteria } from './silence-criteria.ts';
import { SilenceForm } from './silence-form.tsx';

/**
 * Dialog that creates a silence.
 * @param criteria Initial criteria.
 */
export function SilenceDialog({
  criteria,
  onClose,
  onDone = onClose,
}: {
  criteria?: SilenceCriteria;
  onClose: () => void;
  onDone?: () => void;
}) {
  const create = useAction('createSilence', { quiet: true, done: 'Silence created' });
  return (
    <Dialog onClose={onClose} title="New silence" size="xl">
      <SilenceForm
        {...(criteria && { criteria })}
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
