import { PageHeader } from '../../ui/page-header.tsx';

export default function NotificationTemplatesPage() {
  return <PageHeader title="NotificationTemplates" />;
}
