import { useState } from 'react';
import classes from './software-item.module.css';

/** Details that load when the user opens them. */
export function CollapsibleDetails({
  title,
  isOpen = false,
  children,
}: {
  title: string;
  isOpen?: boolean;
  children: React.ReactNode;
}) {
  const [wasOpened, setOpened] = useState(isOpen);
  return (
    <details
      className={classes.folded}
      open={isOpen}
      onToggle={({ currentTarget }) => currentTarget.open && setOpened(true)}
    >
      <summary>{title}</summary>
      {wasOpened && children}
    </details>
  );
}
