import { linkOptions } from '@tanstack/react-router';
import { useApi } from '../../api/use-api.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Figure } from './figure.tsx';

/**
 * Shows how far behind all deployed versions are, as one number. Renders nothing before the first
 * measurement.
 */
export function FreshnessFigure() {
  const { data } = useApi('getFreshness', undefined, { refetchMs: 300_000 });
  const now = data?.now ?? null;
  const measuredAt = data?.measured_at ?? null;
  if (now === null || now.things === 0) return null;
  const within = Math.floor((now.within_target * 100) / Math.max(1, now.targeted));
  return (
    <Figure
      title="Libyears behind"
      count={Math.round(now.sum)}
      tone="muted"
      note={
        <>
          {now.targeted === 0
            ? `across ${now.things.toLocaleString('en')} deployed versions`
            : `${within}% within target`}
          {measuredAt !== null && (
            <>
              , measured <RelativeTime at={measuredAt} />
            </>
          )}
        </>
      }
      link={linkOptions({ to: '/freshness' })}
    />
  );
}
