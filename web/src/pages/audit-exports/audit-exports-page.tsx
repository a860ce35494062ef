import { Alert, Button, Menu, Stack, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { isSyslogUrl } from '../../../../src/domain/syslog/syslog-url.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useApi } from '../../api/use-api.ts';
import { FormActions } from '../../components/form-actions.tsx';
import { RowsTable } from '../../components/list/index.ts';
import { Loaded } from '../../components/loaded.tsx';
import { useSubmit } from '../../components/use-submit.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Mark } from '../../ui/mark.tsx';
import { OneTimeValues } from '../../ui/one-time-values.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ElapsedTime, RelativeTime } from '../../ui/relative-time.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { TwoLines } from '../../ui/two-lines.tsx';

type AuditExport = Schemas['AuditExport'];

export default function AuditExportsPage() {
  const exports = useApi('listAuditExports');
  const [isCreating, creating] = useDisclosure(false);
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={creating.open}>
      New audit export
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Audit exports"
        about="Pacekeeper sends each entry of the audit log to a webhook or a syslog receiver, in order."
        actions={create}
      />
      <Loaded query={exports}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState title="No audit exports yet" action={create}>
              An audit export keeps a copy of the audit log in another system, such as a SIEM.
            </EmptyState>
          ) : (
            <ExportTable exports={items} />
          )
        }
      </Loaded>
      {isCreating && <NewExport onClose={creating.close} />}
    </>
  );
}

function ExportTable({ exports }: { exports: readonly AuditExport[] }) {
  const confirm = useConfirm();
  const remove = useAction('deleteAuditExport', { done: 'Audit export deleted' });
  const onDelete = async ({ id, name }: AuditExport) => {
    const isSure = await confirm({
      title: `Delete "${name}"?`,
      body: "Pacekeeper stops sending new entries. This can't be undone.",
      confirm: 'Delete',
      danger: true,
    });
    if (isSure) remove.mutate({ path: { id } });
  };
  return (
    <RowsTable
      items={exports}
      name="audit exports"
      rowKey={({ id }) => id}
      columns={[
        { header: 'Name', cell: ({ name }) => name },
        { header: 'URL', cell: ({ url }) => <span title={url}>{url}</span>, width: 'minmax(0, 1.5fr)' },
        {
          header: 'Last success',
          cell: ({ last_success_at }) => <RelativeTime at={last_success_at} />,
          width: '8rem',
        },
        { header: 'Health', cell: (each) => <Health of={each} />, width: 'minmax(0, 2fr)' },
      ]}
      rowActions={(each) => (
        <RowMenu label={`Actions for ${each.name}`}>
          <Menu.Item c="var(--severity-critical)" onClick={() => void onDelete(each)}>
            Delete
          </Menu.Item>
        </RowMenu>
      )}
    />
  );
}

/** Maximum pending count that the API reports. */
const maxPending = 1_000;

function Health({ of: { failing_since, last_error, pending_count } }: { of: AuditExport }) {
  const pending = `${pending_count === maxPending ? '1,000 or more' : pending_count} pending`;
  if (failing_since === null)
    return pending_count === 0 ? <Mark tone="ok">OK</Mark> : <Mark tone="busy">{pending}</Mark>;
  return (
    <TwoLines second={last_error !== null && <span title={last_error.message}>{last_error.message}</span>}>
      <Mark tone="critical">Failing</Mark> for <ElapsedTime since={failing_since} />, {pending}
    </TwoLines>
  );
}

/** Creates an audit export and shows its signing secret, which can't be shown again. */
function NewExport({ onClose }: { onClose: () => void }) {
  const [secret, setSecret] = useState<string | null>(null);
  const onCreated = (created: string | null) => (created === null ? onClose() : setSecret(created));
  return (
    <Dialog
      onClose={onClose}
      title={secret === null ? 'New audit export' : 'Audit export created'}
      size="lg"
      closeOnClickOutside={secret === null}
      closeOnEscape={secret === null}
    >
      {secret === null ? (
        <ExportForm onCreated={onCreated} onCancel={onClose} />
      ) : (
        <Stack>
          <Alert color="yellow" variant="outline" title="Copy the signing secret now">
            You won't see it again. It signs every request, as for webhooks of channels.
          </Alert>
          <OneTimeValues values={[{ label: 'Signing secret', text: secret }]} onClose={onClose} />
        </Stack>
      )}
    </Dialog>
  );
}

/** @param onCreated Receives the signing secret, or `null` for syslog. */
function ExportForm({
  onCreated,
  onCancel,
}: {
  onCreated: (secret: string | null) => void;
  onCancel: () => void;
}) {
  const create = useAction('createAuditExport', { quiet: true });
  const form = useForm({ initialValues: { name: '', url: '', authorization: '', isWhole: false } });
  const isSyslog = isSyslogUrl(form.values.url);
  const { onSubmit, error, isBusy } = useSubmit(form, async ({ name, url, authorization, isWhole }) => {
    const headers: Record<string, string> =
      authorization === '' || isSyslog ? {} : { Authorization: authorization };
    const since = isWhole ? new Date(0).toISOString() : null;
    const created = await create.mutateAsync({ body: { name, url, headers, since } });
    onCreated(created.signing_secret);
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm">
        <TextInput
          label="Name"
          description="For example, SIEM."
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
        <TextInput
          label="URL"
          description="For example, https://siem.example.org/ingest for a webhook, or syslog+tls://siem.example.org:6514."
          required
          {...form.getInputProps('url')}
        />
        {!isSyslog && (
          <TextInput
            label="Authorization header"
            description="For example, Bearer TOKEN. Leave empty for none."
            type="password"
            autoComplete="off"
            {...form.getInputProps('authorization')}
          />
        )}
        <Switch label="Also send existing entries" {...form.getInputProps('isWhole', { type: 'checkbox' })} />
        <FormActions submit="Create audit export" isBusy={isBusy} error={error} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
