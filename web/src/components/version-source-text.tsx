import { Code, Text } from '@mantine/core';
import type { Schemas } from '../../../src/generated/client-api.ts';

/** Source of a deployed version: a commit, a file, the digest of a release, or manual entry. */
export function VersionSourceText({
  version: { source, commit_sha, match, raw_version, version },
}: {
  version: Pick<Schemas['Version'], 'source' | 'commit_sha' | 'match' | 'raw_version' | 'version'>;
}) {
  return (
    <>
      {source === 'manual' ? (
        'set manually'
      ) : commit_sha ? (
        <Code title={commit_sha}>{commit_sha.slice(0, 10)}</Code>
      ) : (
        'a file'
      )}
      {match !== null && ' by digest'}
      {raw_version !== version && (
        <Text span inherit c="var(--text-muted)">
          {' '}
          as {raw_version}
        </Text>
      )}
    </>
  );
}
