/** The one command that adds an agent. @param serverUrl as people reach the server. */
export function agentCommand(serverUrl: string, apiKey: string): string {
  return [
    `PACEKEEPER_SERVER_URL=${serverUrl} \\`,
    `PACEKEEPER_API_KEY=${apiKey} \\`,
    'npm run -s pacekeeper -- agent',
  ].join('\n');
}
