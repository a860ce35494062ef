import { Box, Group, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import { type PlainPath, TextLink } from './links.tsx';
import classes from './page-header.module.css';

export interface PageHeaderProps {
  title: string;
  /** Purpose of the page, in one sentence. */
  about?: React.ReactNode;
  /** Target of the back link. */
  parent?: { to: PlainPath; title: string };
  /** Main actions of the page, on the right. */
  actions?: React.ReactNode;
}

/** Header of a page. It also sets the title of the browser tab. */
export function PageHeader({ title, about, parent, actions }: PageHeaderProps) {
  useEffect(() => {
    document.title = `${title} · Pacekeeper`;
  }, [title]);
  return (
    <Group component="header" justify="space-between" align="flex-start" mb="md" gap="sm">
      <Box miw={0} flex="1 1 16rem">
        {parent && (
          <TextLink to={parent.to} size="sm">
            ← {parent.title}
          </TextLink>
        )}
        <Title order={1} style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        {about && (
          <Text size="sm" c="var(--text-muted)" mt={2} style={{ overflowWrap: 'anywhere' }}>
            {about}
          </Text>
        )}
      </Box>
      {actions && (
        <Group gap="xs" className={classes.actions}>
          {actions}
        </Group>
      )}
    </Group>
  );
}
