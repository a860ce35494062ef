import { Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useApi } from '../../api/use-api.ts';
import { EditSession, ifMatchOf } from '../../components/edited.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { useSubmit } from '../../components/use-submit.ts';
import { Dialog } from '../../ui/dialog.tsx';

export function EditApiKey({ id, onClose }: { id: number; onClose: () => void }) {
  const apiKey = useApi('getAPIKey', { path: { id } });
  return (
    <Dialog onClose={onClose} title="Edit API key">
      <Loaded query={apiKey}>
        {(found) => (
          <EditSession resource={found}>
            {(opened) => <ApiKeyForm apiKey={opened} onClose={onClose} />}
          </EditSession>
        )}
      </Loaded>
    </Dialog>
  );
}

function ApiKeyForm({ apiKey, onClose }: { apiKey: Schemas['APIKey']; onClose: () => void }) {
  const update = useAction('updateAPIKey', { quiet: true, done: 'API key saved' });
  const form = useForm({ initialValues: { name: apiKey.name, description: apiKey.description } });
  const { onSubmit, error, isBusy } = useSubmit(form, async (body) => {
    await update.mutateAsync({ path: { id: apiKey.id }, body, ...ifMatchOf(apiKey) });
    onClose();
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm">
        <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
        <Textarea label="Description" autosize minRows={1} {...form.getInputProps('description')} />
        <FormActions submit="Save changes" isBusy={isBusy} error={error} onCancel={onClose} />
      </Stack>
    </form>
  );
}
