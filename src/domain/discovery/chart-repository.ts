import { chartOrigin } from './chart-fact.ts';

/**
 * Returns the source of a chart in a repository that a user entered: a URL from `helm repo list`, or a
 * registry such as `oci://ghcr.io/acme/charts`. Returns `null` for other text.
 */
export function readChartSource(
  repository: string,
  chart: string,
): { source_type: 'helm_repository' | 'oci_registry'; artifact_name: string } | null {
  const text = repository.trim();
  const origin = chartOrigin(
    chart,
    /^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:\/|$)/.test(text) ? `https://${text}` : text,
  );
  if (origin.type === 'helm')
    return { source_type: 'helm_repository', artifact_name: `${origin.url}/${chart}` };
  return origin.type === 'oci' ? { source_type: 'oci_registry', artifact_name: origin.reference } : null;
}
