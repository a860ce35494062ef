import { Text } from '@mantine/core';
import classes from './version-text.module.css';

/** A version as it is written. @param none stands there when none is known. */
export function VersionText({ version, none = 'none' }: { version: string | null; none?: string }) {
  if (version === null) {
    return (
      <Text span inherit c="var(--text-muted)">
        {none}
      </Text>
    );
  }
  return (
    <span className={classes.version} title={version}>
      {version}
    </span>
  );
}
