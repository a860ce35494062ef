import { publishedChart, publishedImage } from '../../components/published-packages.ts';

export type AgentPackage = 'container' | 'npm' | 'helm' | 'checkout';

export const agentPackages: Readonly<Record<AgentPackage, string>> = {
  container: 'Container',
  npm: 'npm',
  helm: 'Helm',
  checkout: 'Checkout',
};

interface AgentAccess {
  name: string;
  /** URL of the server in the user's browser. */
  serverUrl: string;
  apiKey: string;
  /** Version of the server. An agent of the same version has the same features. */
  version: string;
}

/** Returns true if a URL refers to the local machine, which a container or another host can't reach. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/u.test(hostname);
}

/** Returns the command that starts an agent. In a cluster, the agent is named after its pod. */
export function agentCommand(
  agentPackage: AgentPackage,
  { name, serverUrl, apiKey, version }: AgentAccess,
): string {
  // The name can contain any character, so it's quoted as JSON, which is valid YAML.
  const configuration = ["cat > agent.yaml <<'END'", `name: ${JSON.stringify(name)}`, 'END'];
  const variables = [`PACEKEEPER_SERVER_URL=${serverUrl} \\`, `PACEKEEPER_API_KEY=${apiKey} \\`];
  const lines: Record<AgentPackage, readonly string[]> = {
    container: [
      ...configuration,
      'docker run --detach --restart unless-stopped --name pacekeeper-agent --no-healthcheck \\',
      '  --volume "$PWD/agent.yaml":/etc/pacekeeper/agent.yaml:ro \\',
      `  --env PACEKEEPER_SERVER_URL=${serverUrl} \\`,
      `  --env PACEKEEPER_API_KEY=${apiKey} \\`,
      `  ${publishedImage(version)} agent --config /etc/pacekeeper/agent.yaml`,
    ],
    npm: [...configuration, ...variables, `npx pacekeeper@${version} agent --config agent.yaml`],
    helm: [
      `helm upgrade --install pacekeeper-agent ${publishedChart(version)} \\`,
      '  --namespace pacekeeper --create-namespace \\',
      '  --set server.replicas=0 --set agents.replicas=1 \\',
      `  --set agents.serverUrl=${serverUrl} \\`,
      `  --set agents.apiKey=${apiKey}`,
    ],
    checkout: [...configuration, ...variables, 'npm run -s pacekeeper -- agent --config agent.yaml'],
  };
  return lines[agentPackage].join('\n');
}
