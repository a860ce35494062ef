import { Button, Group, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useSubmit } from '../../components/use-submit.ts';
import { Dialog } from '../../ui/dialog.tsx';

type Job = Pick<Schemas['ScrapeJob'], 'id' | 'name'>;

/**
 * Sets the deployed version manually.
 * @param onDone Called when the server has stored the version.
 */
export function SetVersionForm({ job, onDone }: { job: Job; onDone?: () => void }) {
  const form = useForm({ initialValues: { version: '' } });
  const set = useAction('setScrapeJobVersion', {
    quiet: true,
    done: ({ warning }) => [`Version set for "${job.name}"`, warning].filter(Boolean).join('. '),
  });
  const { onSubmit, error, isBusy } = useSubmit(form, async (body) => {
    await set.mutateAsync({ path: { id: job.id }, body });
    form.reset();
    onDone?.();
  });
  return (
    <form onSubmit={onSubmit}>
      <Group align="flex-end" gap="xs">
        <TextInput
          label="New deployed version"
          required
          spellCheck={false}
          data-autofocus
          flex="1 1 10rem"
          maw={320}
          {...form.getInputProps('version')}
        />
        <Button type="submit" variant={onDone ? 'filled' : 'default'} loading={isBusy}>
          Set version
        </Button>
      </Group>
      {error !== null && <ErrorNotice error={error} />}
    </form>
  );
}

export function SetVersionDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title={`Set version for "${job.name}"`}>
      <SetVersionForm job={job} onDone={onClose} />
    </Dialog>
  );
}
