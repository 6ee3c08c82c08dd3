/** The clients that are run, by the names of their tests, and their packages in Debian. */
export const clients = {
  'aws-cli': 'awscli',
  boto3: 'python3-boto3',
  rclone: 'rclone',
  restic: 'restic',
  s3cmd: 's3cmd',
  mc: 'minio-client',
} as const;
