import { Text } from '@mantine/core';
import type { Schemas } from '../../../src/generated/client-api.ts';
import classes from './version-text.module.css';

/**
 * Version as text.
 *
 * @param none Text to show if the version isn't known.
 * @param match Method by which the version was identified, if it isn't part of the image reference.
 */
export function VersionText({
  version,
  none = 'none',
  match = null,
}: {
  version: string | null;
  none?: string;
  match?: Schemas['VersionMatch'] | null;
}) {
  if (version === null) {
    return (
      <Text span inherit c="var(--text-muted)">
        {none}
      </Text>
    );
  }
  const text = (
    <span className={classes.version} title={version}>
      {version}
    </span>
  );
  if (match === null) return text;
  return (
    <>
      {text}
      <Text span inherit c="var(--text-muted)" title="The release with the same digest has this version.">
        {' '}
        by digest
      </Text>
    </>
  );
}
