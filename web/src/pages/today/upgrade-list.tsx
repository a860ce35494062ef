import { Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import { DeployedVersions } from '../../components/deployed-versions.tsx';
import { SeverityMark } from '../../components/severity.tsx';
import { menuLabel } from '../../components/upgrade-text.ts';
import { VersionText } from '../../components/version-text.tsx';
import { TextLink } from '../../ui/links.tsx';
import { ElapsedTime } from '../../ui/relative-time.tsx';
import { RowMenuButton } from '../../ui/row-menu-button.tsx';
import { describeUpgrade } from './describe-upgrade.ts';
import classes from './today-page.module.css';

type Today = Schemas['Today'];

// Loaded when a menu is first opened, because the first page must stay small.
const UpgradeMenu = lazy(async () => ({
  default: (await import('../upgrades/upgrade-actions.tsx')).UpgradeMenu,
}));

/**
 * Lists upgrades in the order of the server. Each row links to its places and has the actions for all of
 * these places.
 */
export function UpgradeList({
  items,
  today,
  label,
}: {
  items: Today['items'];
  today: Today;
  /** Label of the selected team. */
  label: string | null;
}) {
  const isAllowed = useHasRole('member');
  return (
    <ul className={classes.list}>
      {items.map((item) => {
        const { upgrade } = item;
        return (
          <li key={upgrade.id} className={classes.upgrade}>
            <Text span size="sm" className={classes.severity}>
              {upgrade.severity !== null && <SeverityMark severity={upgrade.severity} />}
            </Text>
            <div className={classes.subject}>
              <TextLink
                to="/upgrades/$id"
                params={{ id: upgrade.id }}
                search={label === null ? {} : { label }}
                size="sm"
                fw={500}
              >
                {upgrade.gather_job.name}{' '}
                <span className={classes.versions}>
                  <DeployedVersions upgrade={upgrade} />
                  {upgrade.target_version !== null && (
                    <>
                      {' → '}
                      <VersionText version={upgrade.target_version} />
                    </>
                  )}
                </span>
              </TextLink>
              <Text size="xs" c="var(--text-muted)">
                {describeUpgrade(item, today, label !== null)}
                {upgrade.behind_since !== null && (
                  <>
                    {upgrade.behind_since_is_first_seen ? ' · behind for at least ' : ' · behind for '}
                    <ElapsedTime since={upgrade.behind_since} />
                  </>
                )}
              </Text>
            </div>
            {isAllowed && <LazyUpgradeMenu upgrade={upgrade} />}
          </li>
        );
      })}
    </ul>
  );
}

function LazyUpgradeMenu({ upgrade }: { upgrade: Today['items'][number]['upgrade'] }) {
  const [isWanted, setWanted] = useState(false);
  if (upgrade.severity === null) return null;
  const button = <RowMenuButton label={menuLabel(upgrade)} onLoad={() => setWanted(true)} />;
  if (!isWanted) return button;
  return (
    <Suspense fallback={button}>
      <UpgradeMenu upgrade={upgrade} startsOpen />
    </Suspense>
  );
}
