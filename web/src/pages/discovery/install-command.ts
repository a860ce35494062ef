import { publishedChart } from '../../components/published-packages.ts';

/**
 * Returns the command that installs an agent with read-only access to a cluster.
 * @param apiKey `null` for a placeholder.
 */
export function installCommand({
  serverUrl,
  apiKey,
  credentialName,
  withSecrets,
  version,
}: {
  serverUrl: string;
  apiKey: string | null;
  credentialName: string;
  withSecrets: boolean;
  /** Version of the server. An agent of the same version has the same features. */
  version: string;
}): string {
  const values = [
    'server.replicas=0',
    'agents.replicas=1',
    `agents.serverUrl=${serverUrl}`,
    `agents.apiKey=${apiKey ?? 'pk_…'}`,
    'agents.kubernetes.enabled=true',
    `agents.kubernetes.credential=${credentialName}`,
    ...(withSecrets ? ['agents.kubernetes.helmSecrets=true'] : []),
  ];
  return [
    `helm upgrade --install pacekeeper-agent ${publishedChart(version)} \\`,
    '  --namespace pacekeeper --create-namespace \\',
    // Each value gets a separate `--set`, because Helm splits a `--set` value at commas.
    ...values.map((value, at) => `  --set ${quoted(value)}${at === values.length - 1 ? '' : ' \\'}`),
  ].join('\n');
}

/** Quotes a value for the shell and escapes the characters that Helm interprets in a `--set` value. */
function quoted(value: string): string {
  const escaped = value.replaceAll(/[\\,]/g, '\\$&');
  return /^[\w./:=-]+$/.test(escaped) ? escaped : `'${escaped.replaceAll("'", `'\\''`)}'`;
}
