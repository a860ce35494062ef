import { Center, Stack, Title } from '@mantine/core';
import { useEffect } from 'react';
import { basePath } from '../../api/page-location.ts';

/** Layout of the pages that don't require a login. */
export function LoginLayout({ title, children }: { title: string; children: React.ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Pacekeeper`;
  }, [title]);
  return (
    <Center mih="100dvh" p="md" component="main">
      <Stack w="100%" maw={380}>
        <div>
          <img src={`${basePath}/favicon.svg`} width={40} height={40} alt="" />
          <Title order={1} mt="xs">
            {title}
          </Title>
        </div>
        {children}
      </Stack>
    </Center>
  );
}

/** Returns the token from the URL fragment, which isn't sent to servers or in the Referer header. */
export function tokenOf(hash: string): string {
  return new URLSearchParams(hash.replace(/^#/, '')).get('token') ?? '';
}
