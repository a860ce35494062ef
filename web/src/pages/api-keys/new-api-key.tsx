import { Alert, Select, Stack, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useMe } from '../../api/use-me.ts';
import { DateTimeField } from '../../components/date-time-field.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { useSubmit } from '../../components/use-submit.ts';
import { FormModal } from '../../ui/dialog.tsx';
import { OneTimeValues } from '../../ui/one-time-values.tsx';
import { keyRoles, rolesUpTo } from './key-roles.ts';

type KeyRole = Schemas['APIKeyRole'];

/** Creates an API key and shows it. The key can't be shown again later. */
export function NewApiKey({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [key, setKey] = useState<string | null>(null);
  const close = () => {
    onClose();
    setKey(null);
  };
  return (
    <FormModal
      opened={isOpen}
      onClose={close}
      title={key === null ? 'New API key' : 'API key created'}
      size="lg"
      closeOnClickOutside={key === null}
      closeOnEscape={key === null}
    >
      {key === null ? (
        <KeyForm onCreated={setKey} onCancel={close} />
      ) : (
        <Stack>
          <Alert color="yellow" variant="outline" title="Copy your key now">
            You won't see it again. Pacekeeper stores only a hash.
          </Alert>
          <OneTimeValues values={[{ label: 'API key', text: key, testId: 'new-key' }]} onClose={close} />
        </Stack>
      )}
    </FormModal>
  );
}

function KeyForm({ onCreated, onCancel }: { onCreated: (key: string) => void; onCancel: () => void }) {
  const { organization } = useMe();
  const create = useAction('createAPIKey', { quiet: true });
  const form = useForm({
    initialValues: {
      name: '',
      description: '',
      role: 'reporter' satisfies KeyRole as KeyRole,
      agent_capabilities: [] as string[],
      agent_credential_names: [] as string[],
      expires_at: '',
    },
  });
  const { onSubmit, error, isBusy } = useSubmit(form, async ({ expires_at, ...values }) => {
    const ends = expires_at === '' ? null : new Date(expires_at).toISOString();
    const limit = (names: string[]) => (values.role === 'agent' && names.length > 0 ? names : null);
    const { key } = await create.mutateAsync({
      body: {
        ...values,
        agent_capabilities: limit(values.agent_capabilities),
        agent_credential_names: limit(values.agent_credential_names),
        expires_at: ends,
      },
    });
    onCreated(key);
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm">
        <TextInput
          label="Name"
          description="For example, Deploy pipeline."
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Textarea label="Description" autosize minRows={1} {...form.getInputProps('description')} />
        <Select
          label="Role"
          description={keyRoles[form.values.role].about}
          data={rolesUpTo(organization.role).map((value) => ({ value, label: keyRoles[value].label }))}
          allowDeselect={false}
          {...form.getInputProps('role')}
        />
        {form.values.role === 'agent' && (
          <>
            <TagsInput
              label="Capabilities"
              description="The only capabilities of agents with this key, such as discovery:kubernetes. Leave empty for all."
              {...form.getInputProps('agent_capabilities')}
            />
            <TagsInput
              label="Credentials"
              description="Agents with this key receive only tasks with these credentials or without one. Leave empty for all."
              {...form.getInputProps('agent_credential_names')}
            />
          </>
        )}
        <DateTimeField
          label="Expires"
          description="Leave empty for no expiration."
          {...form.getInputProps('expires_at')}
        />
        <FormActions submit="Create API key" isBusy={isBusy} error={error} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
