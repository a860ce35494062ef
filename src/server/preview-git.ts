import path from 'node:path';
import { createRepositoryReader } from '../agent/git/repository-reader.ts';
import type { PreviewGatherSourceDeps } from '../modules/upstream/index.ts';
import type { Config } from '../platform/config.ts';
import type { Log } from '../platform/log.ts';
import type { AllowHttp, OutboundClient } from '../platform/outbound/index.ts';

/**
 * Creates a reader that lists the tags of repositories for previews. Its cache directory is separate from
 * that of the embedded agent.
 */
export function createPreviewGit({
  config,
  ...network
}: {
  config: Config;
  client: OutboundClient;
  allowHttp: AllowHttp;
  log: Log;
}): PreviewGatherSourceDeps['previewGit'] & { close(): Promise<void> } {
  const repositories = createRepositoryReader({
    ...network,
    folder: path.join(config.dataDir, 'preview-git-cache'),
    caCertificates: config.caCertificates,
    maxCacheBytes: 200_000_000,
    maxTransferBytes: 50_000_000,
  });
  return {
    forOrganization: (organizationId) => ({
      listTags: (url, { signal }) => repositories.listTags({ organizationId, url, credential: null, signal }),
    }),
    close: () => repositories.close(),
  };
}
