import { publishedChart } from '../../components/published-packages.ts';

/**
 * The one command that installs an agent in a cluster with read-only access to it.
 * @param apiKey null: a placeholder
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
  /** The server's version, because an agent of the same version has the same features. */
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
    // A comma separates values of one option, so each has its own.
    ...values.map((value, at) => `  --set ${quoted(value)}${at === values.length - 1 ? '' : ' \\'}`),
  ].join('\n');
}

/** For the shell, and without what separates values for Helm. */
function quoted(value: string): string {
  const escaped = value.replaceAll(/[\\,]/g, '\\$&');
  return /^[\w./:=-]+$/.test(escaped) ? escaped : `'${escaped.replaceAll("'", `'\\''`)}'`;
}
