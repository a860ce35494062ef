import { publishedImage } from '../../components/published-packages.ts';

/**
 * Returns the command that runs an agent on a container host. The container gets the group of the Docker
 * socket, so the agent doesn't have to run as root.
 *
 * @param apiKey `null` for a placeholder.
 */
export function hostCommand({
  serverUrl,
  apiKey,
  credentialName,
  version,
}: {
  serverUrl: string;
  apiKey: string | null;
  credentialName: string;
  /** Version of the server. An agent of the same version has the same features. */
  version: string;
}): string {
  const configuration = [
    'hosts:',
    `  - { name: ${JSON.stringify(credentialName)}, socket: /var/run/docker.sock }`,
  ];
  return [
    "cat > agent.yaml <<'END'",
    ...configuration,
    'END',
    'docker run --detach --restart unless-stopped --name pacekeeper-agent --no-healthcheck \\',
    '  --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges \\',
    '  --group-add "$(stat --format %g /var/run/docker.sock)" \\',
    '  --volume /var/run/docker.sock:/var/run/docker.sock:ro \\',
    '  --volume "$PWD/agent.yaml":/etc/pacekeeper/agent.yaml:ro \\',
    `  --env PACEKEEPER_SERVER_URL=${serverUrl} --env PACEKEEPER_API_KEY=${apiKey ?? 'pk_…'} \\`,
    `  ${publishedImage(version)} agent --config /etc/pacekeeper/agent.yaml`,
  ].join('\n');
}
