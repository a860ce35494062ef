import { Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { FormActions } from '../../ui/form-actions.tsx';
import { useSubmit } from '../../ui/use-submit.ts';

export function EditApiKey({ apiKey, onClose }: { apiKey: Schemas['APIKey']; onClose: () => void }) {
  const update = useAction('updateAPIKey', { quiet: true, done: 'API key saved' });
  const form = useForm({ initialValues: { name: apiKey.name, description: apiKey.description } });
  const { onSubmit, error, isBusy } = useSubmit(form, async (body) => {
    await update.mutateAsync({ path: { id: apiKey.id }, body });
    onClose();
  });
  return (
    <Modal opened onClose={onClose} title="Edit API key">
      <form onSubmit={onSubmit}>
        <Stack gap="sm">
          <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
          <Textarea label="Description" autosize minRows={1} {...form.getInputProps('description')} />
          <FormActions submit="Save changes" isBusy={isBusy} error={error} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
