import type { Schemas } from '../../../src/generated/client-api.ts';
import { describeDeployed, listDeployed } from './upgrade-text.ts';
import { VersionText } from './version-text.tsx';

/** The most frequent deployed version of an upgrade, in the font of versions, and the number of others. */
export function DeployedVersions({ upgrade }: { upgrade: Schemas['Upgrade'] }) {
  const [first, others] = listDeployed(upgrade);
  return (
    <span title={describeDeployed(upgrade)}>
      {first === null ? 'unknown' : <VersionText version={first} />}
      {others}
    </span>
  );
}
