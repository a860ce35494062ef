import { Alert, Button, Code, Group, Modal, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useMe } from '../../api/use-me.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { FormActions } from '../../ui/form-actions.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { keyRoles, rolesUpTo } from './key-roles.ts';

type KeyRole = Schemas['APIKeyRole'];

/** Makes a key and shows it, the only time that anybody can see it. @param role chosen already, for an agent. */
export function NewApiKey({
  isOpen,
  onClose,
  role,
  shown,
}: {
  isOpen: boolean;
  onClose: () => void;
  role?: KeyRole;
  shown?: (key: string) => React.ReactNode;
}) {
  const [key, setKey] = useState<string | null>(null);
  const close = () => {
    onClose();
    setKey(null);
  };
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={key === null ? 'New API key' : 'Your new key'}
      size="lg"
      closeOnClickOutside={key === null}
      closeOnEscape={key === null}
    >
      {key === null ? (
        <KeyForm role={role} onMade={setKey} onCancel={close} />
      ) : (
        <Stack>
          <Alert color="yellow" variant="outline" title="Copy it now">
            It is shown this once. Pacekeeper keeps only a fingerprint of it.
          </Alert>
          <Code block data-testid="new-key" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
            {key}
          </Code>
          <Group justify="space-between">
            <CopyButton text={key} label="Copy the key" />
            <Button onClick={close}>I have kept it</Button>
          </Group>
          {shown?.(key)}
        </Stack>
      )}
    </Modal>
  );
}

function KeyForm({
  role,
  onMade,
  onCancel,
}: {
  role?: KeyRole;
  onMade: (key: string) => void;
  onCancel: () => void;
}) {
  const { organization } = useMe();
  const create = useAction('createAPIKey', { quiet: true });
  const form = useForm({
    initialValues: {
      name: '',
      description: '',
      role: role ?? ('reporter' satisfies KeyRole as KeyRole),
      expires_at: '',
    },
  });
  const { onSubmit, error, isBusy } = useSubmit(form, async ({ expires_at, ...values }) => {
    const ends = expires_at === '' ? null : new Date(expires_at).toISOString();
    const { key } = await create.mutateAsync({ body: { ...values, expires_at: ends } });
    onMade(key);
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm">
        <TextInput
          label="Name"
          placeholder={role === 'agent' ? 'Agent in the build network' : 'Deploy pipeline'}
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Textarea label="Description" autosize minRows={1} {...form.getInputProps('description')} />
        {role === undefined ? (
          <Select
            label="What it may do"
            description={keyRoles[form.values.role].about}
            data={rolesUpTo(organization.role).map((value) => ({ value, label: keyRoles[value].label }))}
            allowDeselect={false}
            {...form.getInputProps('role')}
          />
        ) : (
          <Text size="sm">{keyRoles[role].about}</Text>
        )}
        <TextInput
          label="Ends"
          description="Empty: never"
          type="datetime-local"
          {...form.getInputProps('expires_at')}
        />
        <FormActions submit="Make the key" isBusy={isBusy} error={error} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
