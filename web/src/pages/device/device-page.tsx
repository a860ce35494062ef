import { Alert, Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiCallError, api } from '../../api/session.ts';
import { showError } from '../../api/use-action.ts';
import { useApi } from '../../api/use-api.ts';
import { useMe } from '../../api/use-me.ts';
import { Loaded } from '../../components/loaded.tsx';
import { describeClient } from '../../ui/describe-client.ts';
import { Facts, Section } from '../../ui/facts.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';

/** Approves a CLI login. The CLI shows the same code. */
export default function DevicePage() {
  const { code: given = '' } = useSearch({ from: '/shell/device' });
  const [code, setCode] = useState(given);
  const [isDone, setDone] = useState(false);
  return (
    <>
      <PageHeader title="Approve a login" about="Log the command line in to your account." />
      {isDone && (
        <Alert color="teal" variant="outline" role="status">
          <Text size="sm" fw={600}>
            Login approved
          </Text>
          <Text size="sm">You can close this page and return to the command line.</Text>
        </Alert>
      )}
      {!isDone && code === '' && <CodeForm onCode={setCode} />}
      {!isDone && code !== '' && (
        <Approval code={code} onApproved={() => setDone(true)} onCancel={() => setCode('')} />
      )}
    </>
  );
}

function CodeForm({ onCode }: { onCode: (code: string) => void }) {
  const form = useForm({ initialValues: { code: '' } });
  return (
    <form onSubmit={form.onSubmit(({ code }) => onCode(code.trim()))}>
      <Stack gap="sm" maw={420}>
        <TextInput
          label="Code"
          description="Enter the code that the command line shows."
          required
          autoFocus
          {...form.getInputProps('code')}
        />
        <Group>
          <Button type="submit">Continue</Button>
        </Group>
      </Stack>
    </form>
  );
}

function Approval({
  code,
  onApproved,
  onCancel,
}: {
  code: string;
  onApproved: () => void;
  onCancel: () => void;
}) {
  const { user, organization } = useMe();
  const login = useApi('getDeviceLogin', { query: { user_code: code } });
  const [isBusy, setBusy] = useState(false);
  // Don't use `useAction`, which would refetch the login, although the login no longer exists after its
  // approval.
  const onApprove = (user_code: string) => {
    setBusy(true);
    void api
      .call('approveDeviceLogin', { body: { user_code } })
      .then(onApproved, showError)
      .finally(() => setBusy(false));
  };
  if (login.error instanceof ApiCallError && login.error.status === 404)
    return (
      <Alert color="red" variant="outline" role="alert" title="Code not found">
        <Text size="sm">
          The code is incorrect, has expired, or was already used. Check it, or log in again on the command
          line.
        </Text>
        <Button size="xs" variant="default" mt="xs" onClick={onCancel}>
          Enter another code
        </Button>
      </Alert>
    );
  return (
    <Loaded query={login}>
      {({ user_code, address, user_agent, created_at }) => (
        <Section title="Login">
          <Facts
            facts={[
              ['Code', <Code key="code">{user_code}</Code>],
              ['Client', describeClient(user_agent)],
              ['Address', address ?? 'unknown'],
              ['Requested', <RelativeTime key="at" at={created_at} />],
              ['Account', `${user.name} (${user.email})`],
              ['Organization', organization.name],
            ]}
          />
          <Text size="sm" my="sm">
            Approve this login only if you started it yourself and the command line shows the same code. The
            command line can then act on your behalf.
          </Text>
          <Group>
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
            <Button loading={isBusy} onClick={() => onApprove(user_code)}>
              Approve login
            </Button>
          </Group>
        </Section>
      )}
    </Loaded>
  );
}
