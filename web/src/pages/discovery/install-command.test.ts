import { expect, test } from 'vitest';
import { installCommand } from './install-command.ts';

test('an agent is installed with one command', () => {
  const options = {
    serverUrl: 'https://pacekeeper.example.org',
    apiKey: 'pk_1_abc',
    withSecrets: false,
    version: '1.2.3',
  };
  expect(
    installCommand({ ...options, credentialName: 'prod-eu' }),
  ).toBe(`helm upgrade --install pacekeeper-agent oci://ghcr.io/OWNER/pacekeeper/charts/pacekeeper --version 1.2.3 \\
  --namespace pacekeeper --create-namespace \\
  --set server.replicas=0 \\
  --set agents.replicas=1 \\
  --set agents.serverUrl=https://pacekeeper.example.org \\
  --set agents.apiKey=pk_1_abc \\
  --set agents.kubernetes.enabled=true \\
  --set agents.kubernetes.credential=prod-eu`);
  const odd = installCommand({ ...options, credentialName: "it's a, b", withSecrets: true });
  expect(odd).toContain(`--set 'agents.kubernetes.credential=it'\\''s a\\, b'`);
  expect(odd.endsWith('--set agents.kubernetes.helmSecrets=true')).toBe(true);
});
