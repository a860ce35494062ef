import { Fragment } from 'react';
import { breakableParts } from './breakable-parts.ts';

/**
 * Text that breaks after the separators of names and URLs instead of inside of words. Children that aren't
 * text are unchanged.
 */
export function Breakable({ children }: { children: React.ReactNode }) {
  if (typeof children !== 'string') return children;
  return breakableParts(children).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity.
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
