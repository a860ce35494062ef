import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { version } from '../../../../package.json';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { serverUrl } from '../../api/page-location.ts';
import { useAction } from '../../api/use-action.ts';
import { useHasRole } from '../../api/use-me.ts';
import { replaceOwner } from '../../components/published-packages.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Section } from '../../ui/facts.tsx';
import { hostCommand } from './host-command.ts';
import { installCommand } from './install-command.ts';

const clusterIntroduction =
  'Run this command with access to the cluster. It installs an agent with a role that can only list workloads, nodes, and Flux and Argo CD objects.';
const hostIntroduction =
  'Run these commands on the host. Anyone who can access the socket has root access to the host, even if the socket is mounted read-only. The agent requests only lists of containers, images, and services.';

/**
 * Shows the command that installs an agent for a cluster or a container host, until the first scan succeeds.
 */
export function InstallAgent({ job }: { job: Schemas['DiscoveryJob'] }) {
  const [apiKey, setApiKey] = useState<string | null>(null);
  const create = useAction('createAPIKey', { done: 'API key created' });
  const isAdmin = useHasRole('admin');
  const access = { serverUrl: serverUrl(), apiKey, credentialName: job.credential_name ?? '', version };
  const isHost = job.kind === 'container_host';
  const command = isHost ? hostCommand(access) : installCommand({ ...access, withSecrets: job.helm_secrets });
  return (
    <Section title="Install the agent">
      <Stack gap="sm" maw={720}>
        <Text size="sm">
          {isHost ? hostIntroduction : clusterIntroduction} {replaceOwner} The first scan starts when the
          agent connects.
        </Text>
        <Code
          block
          tabIndex={0}
          aria-label="Install command"
          style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}
        >
          {command}
        </Code>
        <Group>
          {isAdmin && apiKey === null && (
            <Button
              size="xs"
              loading={create.isPending}
              onClick={() =>
                create.mutate(
                  {
                    body: {
                      name: `${isHost ? 'Agent on' : 'Agent in'} ${job.name}`.slice(0, 200),
                      role: 'agent',
                      // The key is stored in the cluster or on the host, so its permissions are limited to
                      // this job.
                      agent_capabilities: [isHost ? 'discovery:docker' : 'discovery:kubernetes'],
                      agent_credential_names: [access.credentialName],
                    },
                  },
                  { onSuccess: ({ key }) => setApiKey(key) },
                )
              }
            >
              Create API key
            </Button>
          )}
          <CopyButton text={command} label="Copy command" />
        </Group>
        <Text size="sm" c="var(--text-muted)">
          {apiKey === null
            ? 'The agent requires an API key with the agent role. An admin can create it.'
            : "You won't see the key again; Pacekeeper stores only a hash."}
        </Text>
      </Stack>
    </Section>
  );
}
