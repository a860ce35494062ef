import { Alert, Button, Menu, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useApi } from '../../api/use-api.ts';
import { FormActions } from '../../components/form-actions.tsx';
import { RowsTable } from '../../components/list/index.ts';
import { Loaded } from '../../components/loaded.tsx';
import { useSubmit } from '../../components/use-submit.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { copyText } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { OneTimeValues } from '../../ui/one-time-values.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { TwoLines } from '../../ui/two-lines.tsx';

type Hook = Schemas['Hook'];

/** Hook kinds, with instructions for entering their secrets. */
const kinds: Record<Schemas['HookKind'], { label: string; about: string }> = {
  github: {
    label: 'GitHub',
    about:
      'Enter it as the webhook secret, with content type application/json and the push, release, and package events.',
  },
  gitlab: { label: 'GitLab', about: 'Enter it as the secret token, with push, tag, and release events.' },
  gitea: {
    label: 'Gitea or Forgejo',
    about: 'Enter it as the webhook secret, with push and release events.',
  },
  bitbucket: {
    label: 'Bitbucket',
    about: 'Enter it as the webhook secret, with repository push events.',
  },
  azure_devops: {
    label: 'Azure DevOps',
    about: 'Enter it as the basic authentication password of a web hook for code pushed, with any username.',
  },
  registry: {
    label: 'Container registry',
    about: 'Add it to the notification endpoint as the header Authorization: Bearer SECRET.',
  },
  docker_hub: { label: 'Docker Hub', about: 'Append it to the URL as ?token=SECRET.' },
  harbor: {
    label: 'Harbor',
    about: 'Enter it as the auth header of the webhook policy, with the event "Artifact pushed".',
  },
  quay: {
    label: 'Quay',
    about: 'Append it to the URL as ?token=SECRET, with the event "Push to repository".',
  },
  generic: {
    label: 'Generic (your own script)',
    about: 'Use it to sign the timestamp, a dot, and the body (X-Pacekeeper-Signature).',
  },
};

export default function HooksPage() {
  const hooks = useApi('listHooks');
  const [isCreating, creating] = useDisclosure(false);
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={creating.open}>
      New hook
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Hooks"
        about="A push or a new image runs the sources and trackers that read it, without waiting for their schedule."
        actions={create}
      />
      <Loaded query={hooks}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState title="No hooks yet" action={create}>
              A hook is a URL to which your Git platform or registry sends events.
            </EmptyState>
          ) : (
            <HookTable hooks={items} />
          )
        }
      </Loaded>
      {isCreating && <NewHook onClose={creating.close} />}
    </>
  );
}

function HookTable({ hooks }: { hooks: readonly Hook[] }) {
  const confirm = useConfirm();
  const remove = useAction('deleteHook', { done: 'Hook deleted' });
  const onDelete = async (hook: Hook) => {
    const isSure = await confirm({
      title: `Delete "${hook.name}"?`,
      body: "Events sent to its URL will be rejected. This can't be undone.",
      confirm: 'Delete',
      danger: true,
    });
    if (isSure) remove.mutate({ path: { id: hook.id } });
  };
  return (
    <RowsTable
      items={hooks}
      name="hooks"
      rowKey={({ id }) => id}
      columns={[
        { header: 'Name', cell: ({ name }) => name },
        { header: 'Sender', cell: ({ kind }) => kinds[kind].label, width: '9rem' },
        { header: 'URL', cell: ({ url }) => <Breakable>{url}</Breakable>, width: 'minmax(0, 2fr)' },
        {
          header: 'Last event',
          cell: ({ last_received_at, last_event_jobs }) => (
            <TwoLines second={last_event_jobs === 0 && 'Started no jobs'}>
              <RelativeTime at={last_received_at} />
            </TwoLines>
          ),
          width: '9rem',
        },
      ]}
      rowActions={(hook) => (
        <RowMenu label={`Actions for ${hook.name}`}>
          <Menu.Item onClick={() => void copyText(hook.url, 'URL copied')}>Copy URL</Menu.Item>
          <Menu.Item c="var(--severity-critical)" onClick={() => void onDelete(hook)}>
            Delete
          </Menu.Item>
        </RowMenu>
      )}
    />
  );
}

/** Creates a hook and shows its secret, which can't be shown again. */
function NewHook({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<Schemas['CreateHookResponse'] | null>(null);
  return (
    <Dialog
      onClose={onClose}
      title={created === null ? 'New hook' : 'Hook created'}
      size="lg"
      closeOnClickOutside={created === null}
      closeOnEscape={created === null}
    >
      {created === null ? (
        <HookForm onCreated={setCreated} onCancel={onClose} />
      ) : (
        <Stack>
          <Alert color="yellow" variant="outline" title="Copy the secret now">
            You won't see it again. {kinds[created.kind].about}
          </Alert>
          <OneTimeValues
            values={[
              { label: 'URL', text: created.url },
              { label: 'Secret', text: created.secret, testId: 'hook-secret' },
            ]}
            onClose={onClose}
          />
        </Stack>
      )}
    </Dialog>
  );
}

function HookForm({
  onCreated,
  onCancel,
}: {
  onCreated: (created: Schemas['CreateHookResponse']) => void;
  onCancel: () => void;
}) {
  const create = useAction('createHook', { quiet: true });
  const form = useForm({ initialValues: { name: '', kind: 'github' as Schemas['HookKind'] } });
  const { onSubmit, error, isBusy } = useSubmit(form, async (body) =>
    onCreated(await create.mutateAsync({ body })),
  );
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm">
        <TextInput
          label="Name"
          description="For example, GitHub organization."
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Select
          label="Sender"
          data={Object.entries(kinds).map(([value, { label }]) => ({ value, label }))}
          allowDeselect={false}
          {...form.getInputProps('kind')}
        />
        <FormActions submit="Create hook" isBusy={isBusy} error={error} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
