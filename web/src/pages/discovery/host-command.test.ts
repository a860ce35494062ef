import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readAgentConfig } from '../../../../src/agent/agent-config.ts';
import { temporaryFolder } from '../../../../tests/helpers/temporary-folder.ts';
import { hostCommand } from './host-command.ts';

const options = { serverUrl: 'https://pacekeeper.example.org', apiKey: 'pk_1_abc', version: 'VERSION' };

test('the commands write a valid configuration and mount the socket read-only for an unprivileged user', () => {
  const command = hostCommand({ ...options, credentialName: `it's "web": $1` });
  const [write = '', run = ''] = command.split(/^(?=docker run)/m);
  const folder = temporaryFolder();
  execFileSync('sh', ['-c', write], { cwd: folder });
  const file = path.join(folder, 'agent.yaml');
  expect(readFileSync(file, 'utf8')).not.toContain('pk_1_abc');
  expect(
    readAgentConfig(file, { PACEKEEPER_SERVER_URL: options.serverUrl, PACEKEEPER_API_KEY: options.apiKey }),
  ).toMatchObject({
    capabilities: ['discovery:docker'],
    credentials: [{ type: 'docker', name: `it's "web": $1`, socket: '/var/run/docker.sock' }],
  });
  expect(run).toContain('--volume /var/run/docker.sock:/var/run/docker.sock:ro');
  expect(run).toContain('--cap-drop ALL');
  // The options must precede the image.
  expect(run.endsWith('  ghcr.io/OWNER/pacekeeper:VERSION agent --config /etc/pacekeeper/agent.yaml')).toBe(
    true,
  );
});

test('the documentation contains the same command', () => {
  const page = readFileSync(new URL('../../../../docs/discovery.md', import.meta.url), 'utf8');
  const run = hostCommand({ ...options, apiKey: null, credentialName: 'web-1' });
  expect(page).toContain(`\n${run.slice(run.indexOf('docker run'))}\n`);
});
