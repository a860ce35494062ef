import { PageHeader } from '../../ui/page-header.tsx';

export default function NotificationChannelPage() {
  return <PageHeader title="NotificationChannel" />;
}
