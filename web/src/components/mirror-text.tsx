import type { Schemas } from '../../../src/generated/client-api.ts';
import { RelativeTime } from '../ui/relative-time.tsx';

/** Newest version in a mirror, with the time of the last successful read if the mirror can't be read now. */
export function MirrorText({
  mirror: { artifact_name, version, last_success_at, failing_since },
}: {
  mirror: Schemas['Mirror'];
}) {
  const text =
    version !== null
      ? `${version} in your mirror`
      : last_success_at === null
        ? 'mirror not read yet'
        : 'none in your mirror';
  return (
    <span title={artifact_name}>
      {text}
      {failing_since !== null && last_success_at !== null && (
        <>
          , last read <RelativeTime at={last_success_at} />
        </>
      )}
    </span>
  );
}
