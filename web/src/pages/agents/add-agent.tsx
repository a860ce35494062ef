import { Button, Code, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { version } from '../../../../package.json';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { serverUrl } from '../../api/page-location.ts';
import { queryClient } from '../../api/query-client.ts';
import { useAction } from '../../api/use-action.ts';
import { useApi } from '../../api/use-api.ts';
import { FormActions } from '../../components/form-actions.tsx';
import { replaceOwner } from '../../components/published-packages.ts';
import { useSubmit } from '../../components/use-submit.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { FormModal } from '../../ui/dialog.tsx';
import { Mark } from '../../ui/mark.tsx';
import wrapping from '../../ui/wrapping-control.module.css';
import { type AgentPackage, agentCommand, agentPackages, isLoopback } from './agent-command.ts';

/** Poll interval that supplements the event stream, in case the stream is disconnected. */
const pollIntervalMs = 3_000;

type NewAgent = Schemas['CreateAPIKeyResponse'];

/**
 * Dialog that adds an agent: creates a key with the agent role, shows the command to start the agent, and
 * shows when the agent has connected.
 */
export function AddAgent({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [agent, setAgent] = useState<NewAgent | null>(null);
  const close = () => {
    onClose();
    setAgent(null);
  };
  return (
    <FormModal
      opened={isOpen}
      onClose={close}
      title={agent === null ? 'Add agent' : `Start "${agent.api_key.name}"`}
      size="lg"
      // Prevent accidental closing, because the key is shown only once.
      closeOnClickOutside={agent === null}
      closeOnEscape={agent === null}
    >
      {agent === null ? (
        <NameForm onCreated={setAgent} onCancel={close} />
      ) : (
        <StartAgent agent={agent} onClose={close} />
      )}
    </FormModal>
  );
}

function NameForm({ onCreated, onCancel }: { onCreated: (agent: NewAgent) => void; onCancel: () => void }) {
  const create = useAction('createAPIKey', { quiet: true });
  const form = useForm({ initialValues: { name: '' } });
  const { onSubmit, error, isBusy } = useSubmit(form, async ({ name }) => {
    onCreated(await create.mutateAsync({ body: { name, role: 'agent' } }));
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm">
        <Text size="sm">
          Run an agent in a network the server can't reach. It only needs outgoing HTTPS to this server.
        </Text>
        <TextInput
          label="Name"
          description="The name of the agent and of its API key. Only an agent can use the key. For example, Agent in the build network."
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
        <FormActions submit="Create key" isBusy={isBusy} error={error} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

function StartAgent({ agent: { api_key, key }, onClose }: { agent: NewAgent; onClose: () => void }) {
  const [agentPackage, setAgentPackage] = useState<AgentPackage>('container');
  const command = agentCommand(agentPackage, {
    name: api_key.name,
    serverUrl: serverUrl(),
    apiKey: key,
    version,
  });
  return (
    <Stack>
      <SegmentedControl
        aria-label="Installation method"
        data={Object.entries(agentPackages).map(([value, label]) => ({ value, label }))}
        value={agentPackage}
        onChange={(value) => setAgentPackage(value as AgentPackage)}
        className={wrapping.control}
      />
      <Text size="sm">
        {agentPackage === 'helm'
          ? 'Run this command on a machine with access to the cluster.'
          : agentPackage === 'checkout'
            ? "Run this command in a checkout of this version on the agent's host."
            : "Run this command on the agent's host."}{' '}
        {agentPackage === 'helm' && 'In a cluster, the agent is named after its pod. '}
        {command.includes('OWNER') && `${replaceOwner} `}
        The command contains the API key. You won't see the key again; Pacekeeper stores only a hash.
      </Text>
      {isLoopback(serverUrl()) && (
        <Text size="sm" c="var(--severity-moderate)">
          {serverUrl()} is only reachable from this machine, not from a container or another host. In the
          command, enter a URL at which the agent can reach the server.
        </Text>
      )}
      <Code
        block
        tabIndex={0}
        aria-label="Agent command"
        style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}
      >
        {command}
      </Code>
      <Connection apiKey={api_key} />
      <Group justify="space-between">
        <CopyButton text={command} label="Copy command" />
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  );
}

/** Shows whether an agent has connected with the key. */
function Connection({ apiKey }: { apiKey: Schemas['APIKey'] }) {
  const used = useApi('getAPIKey', { path: { id: apiKey.id } }, { refetchMs: pollIntervalMs });
  const agents = useApi('listAgents', { query: { limit: 200 } }, { refetchMs: pollIntervalMs });
  const isConnected = used.data !== undefined && used.data.last_used_at !== null;
  const found = agents.data?.items.find(
    ({ kind, status, updated_at }) =>
      kind === 'remote' && status === 'online' && updated_at >= apiKey.created_at,
  );
  useEffect(() => {
    // Refetch the agent list behind the dialog, which now includes the new agent.
    if (isConnected) void queryClient.invalidateQueries({ queryKey: ['listAgents'] });
  }, [isConnected]);
  return (
    <Text component="div" size="sm" aria-live="polite">
      {isConnected ? (
        <>
          <Mark tone="ok">Connected</Mark>{' '}
          {found && `${found.name} on ${found.hostname}, version ${found.version}`}
        </>
      ) : (
        <>
          <Mark tone="busy">Waiting for its first heartbeat…</Mark> This updates automatically when the agent
          connects.
        </>
      )}
    </Text>
  );
}
