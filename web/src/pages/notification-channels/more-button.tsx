import { Button } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';

/** Shows or hides advanced options. */
export function MoreButton({
  isOpen,
  onClick,
  children,
}: {
  isOpen: boolean;
  onClick: () => void;
  children: React.ReactNode;
}) {
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      aria-expanded={isOpen}
      leftSection={isOpen ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
      onClick={onClick}
      style={{ alignSelf: 'flex-start' }}
    >
      {children}
    </Button>
  );
}
