import { sendWithEtag, startUpstreamServer, type UpstreamServer } from './upstream-server.ts';

export interface FakeHelmRepository extends UpstreamServer {
  /**
   * Content of `index.yaml`, by the path of the repository. For example, `/charts` is served at
   * `/charts/index.yaml`.
   */
  indexes: Map<string, string>;
}

/** Starts a classic Helm repository that serves static index files with `ETag` and `Last-Modified`. */
export async function startFakeHelmRepository(options: { port?: number } = {}): Promise<FakeHelmRepository> {
  const server = await startUpstreamServer((request, response, url) => {
    const index = repository.indexes.get(url.pathname.replace(/\/index\.yaml$/u, ''));
    if (index === undefined || !url.pathname.endsWith('/index.yaml')) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found');
      return;
    }
    sendWithEtag(request, response, index, {
      'content-type': 'text/yaml',
      'last-modified': 'Sat, 21 Nov 2026 05:10:00 GMT',
    });
  }, options);
  const repository: FakeHelmRepository = Object.assign(server, { indexes: new Map<string, string>() });
  return repository;
}

export interface FakeChartVersion {
  version: string;
  appVersion?: string;
  created?: string;
  description?: string;
  deprecated?: boolean;
  removed?: boolean;
  /** Digest of the archive. */
  digest?: string;
}

/** Returns an index in the format that `helm repo index` writes. */
export function writeHelmIndex(charts: Record<string, readonly FakeChartVersion[]>): string {
  const lines = ['apiVersion: v1', 'entries:'];
  for (const [chart, versions] of Object.entries(charts)) {
    lines.push(`  ${chart}:${versions.length === 0 ? ' []' : ''}`);
    for (const { version, appVersion, created, description, deprecated, removed, digest } of versions) {
      lines.push(
        '  - apiVersion: v2',
        ...(appVersion === undefined ? [] : [`    appVersion: ${JSON.stringify(appVersion)}`]),
        ...(created === undefined ? [] : [`    created: "${created}"`]),
        ...(deprecated ? ['    deprecated: true'] : []),
        `    description: ${description ?? 'A Helm chart for Kubernetes'}`,
        `    digest: ${digest ?? '5f2c'}`,
        '    maintainers:',
        '    - email: team@example.com',
        '      name: team',
        `    name: ${chart}`,
        ...(removed ? ['    removed: true'] : []),
        '    urls:',
        `    - ${chart}-${version}.tgz`,
        `    version: ${version}`,
      );
    }
  }
  lines.push('generated: "2026-11-21T05:10:00.123456789Z"', '');
  return lines.join('\n');
}
