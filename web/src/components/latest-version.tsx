import type { Schemas } from '../../../src/generated/client-api.ts';
import { TwoLines } from '../ui/two-lines.tsx';
import { VersionText } from './version-text.tsx';

type Config = Pick<Schemas['AlertConfig'], 'latest_version' | 'mirror_of'>;

/** Latest release of a monitor. The second line says where it's from if that isn't the original. */
export function LatestVersion({ config: { latest_version, mirror_of } }: { config: Config }) {
  return (
    <TwoLines
      second={
        mirror_of !== null &&
        latest_version !== null && <span title={`Mirror of ${mirror_of}`}>newest in your mirror</span>
      }
    >
      <VersionText version={latest_version} none="unknown" />
    </TwoLines>
  );
}
