import type { Schemas } from '../../../src/generated/client-api.ts';
import { TwoLines } from '../ui/two-lines.tsx';
import { MirrorText } from './mirror-text.tsx';
import { VersionText } from './version-text.tsx';

type Config = Pick<Schemas['AlertConfig'], 'latest_version' | 'mirror_of' | 'mirror'>;

/**
 * Latest release of a monitor. The second line shows the newest version in the mirror, or that the releases
 * come from a mirror.
 */
export function LatestVersion({ config: { latest_version, mirror_of, mirror } }: { config: Config }) {
  return (
    <TwoLines
      second={
        mirror_of !== null
          ? latest_version !== null && <span title={`Mirror of ${mirror_of}`}>newest in your mirror</span>
          : mirror !== null && <MirrorText mirror={mirror} />
      }
    >
      <VersionText version={latest_version} none="unknown" />
    </TwoLines>
  );
}
