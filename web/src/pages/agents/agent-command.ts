import { publishedChart, publishedImage } from '../../components/published-packages.ts';

export type AgentPackage = 'container' | 'npm' | 'helm' | 'checkout';

export const agentPackages: Readonly<Record<AgentPackage, string>> = {
  container: 'Container',
  npm: 'npm',
  helm: 'Helm',
  checkout: 'Checkout',
};

interface AgentAccess {
  /** The URL at which people reach the server. */
  serverUrl: string;
  apiKey: string;
  /** The server's version, because an agent of the same version has the same features. */
  version: string;
}

/** The command that adds an agent. */
export function agentCommand(
  agentPackage: AgentPackage,
  { serverUrl, apiKey, version }: AgentAccess,
): string {
  const variables = [`PACEKEEPER_SERVER_URL=${serverUrl} \\`, `PACEKEEPER_API_KEY=${apiKey} \\`];
  const lines: Record<AgentPackage, readonly string[]> = {
    container: [
      'docker run --detach --restart unless-stopped --name pacekeeper-agent --no-healthcheck \\',
      `  --env PACEKEEPER_SERVER_URL=${serverUrl} \\`,
      `  --env PACEKEEPER_API_KEY=${apiKey} \\`,
      `  ${publishedImage(version)} agent`,
    ],
    npm: [...variables, `npx pacekeeper@${version} agent`],
    helm: [
      `helm upgrade --install pacekeeper-agent ${publishedChart(version)} \\`,
      '  --namespace pacekeeper --create-namespace \\',
      '  --set server.replicas=0 --set agents.replicas=1 \\',
      `  --set agents.serverUrl=${serverUrl} \\`,
      `  --set agents.apiKey=${apiKey}`,
    ],
    checkout: [...variables, 'npm run -s pacekeeper -- agent'],
  };
  return lines[agentPackage].join('\n');
}
