/**
 * File-name extensions and their MIME types, both ways. The first extension of a row is the one that `$(ext)` gives
 * for a file that has none.
 */
const TYPES: Readonly<Record<string, string>> = {
  // images
  'image/jpeg': 'jpg jpeg jpe jfif',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/heic': 'heic',
  'image/heif': 'heif',
  'image/bmp': 'bmp dib',
  'image/tiff': 'tiff tif',
  'image/svg+xml': 'svg svgz',
  'image/x-icon': 'ico cur',
  'image/jxl': 'jxl',
  'image/jp2': 'jp2',
  'image/vnd.adobe.photoshop': 'psd',
  'image/x-adobe-dng': 'dng',
  // video
  'video/mp4': 'mp4 m4v mp4v',
  'video/quicktime': 'mov qt',
  'video/webm': 'webm',
  'video/x-matroska': 'mkv',
  'video/x-msvideo': 'avi',
  'video/x-flv': 'flv f4v',
  'video/x-ms-wmv': 'wmv',
  'video/x-ms-asf': 'asf',
  'video/mpeg': 'mpg mpeg mpe m2v',
  'video/mp2t': 'ts m2ts mts',
  'video/3gpp': '3gp',
  'video/3gpp2': '3g2',
  'video/ogg': 'ogv',
  'application/vnd.apple.mpegurl': 'm3u8',
  'application/dash+xml': 'mpd',
  // audio
  'audio/mpeg': 'mp3 mpga',
  'audio/mp4': 'm4a',
  'audio/aac': 'aac',
  'audio/ogg': 'ogg oga',
  'audio/opus': 'opus',
  'audio/wav': 'wav',
  'audio/flac': 'flac',
  'audio/x-ms-wma': 'wma',
  'audio/amr': 'amr',
  'audio/aiff': 'aiff aif',
  'audio/midi': 'mid midi',
  'audio/x-mpegurl': 'm3u',
  // text
  'text/plain': 'txt text log ini conf',
  'text/html': 'html htm shtml',
  'text/css': 'css',
  'text/csv': 'csv',
  'text/tab-separated-values': 'tsv',
  'text/markdown': 'md markdown',
  'text/javascript': 'js mjs cjs',
  'text/xml': 'xml',
  'text/xsl': 'xsl xslt',
  'text/calendar': 'ics',
  'text/vcard': 'vcf',
  'text/vtt': 'vtt',
  'application/x-subrip': 'srt',
  'text/x-component': 'htc',
  'application/json': 'json map',
  'application/x-ndjson': 'ndjson jsonl',
  'application/geo+json': 'geojson',
  'application/manifest+json': 'webmanifest',
  'application/yaml': 'yaml yml',
  'application/toml': 'toml',
  'application/xhtml+xml': 'xhtml xht',
  'application/atom+xml': 'atom',
  'application/rss+xml': 'rss',
  'application/sql': 'sql',
  'application/x-sh': 'sh',
  // documents
  'application/pdf': 'pdf',
  'application/rtf': 'rtf',
  'application/postscript': 'ps eps ai',
  'application/epub+zip': 'epub',
  'application/msword': 'doc dot',
  'application/vnd.ms-excel': 'xls xlt',
  'application/vnd.ms-powerpoint': 'ppt pps',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.presentation': 'odp',
  'application/x-mimearchive': 'mht mhtml',
  'message/rfc822': 'eml',
  // archives and programs
  'application/zip': 'zip',
  'application/gzip': 'gz tgz',
  'application/x-tar': 'tar',
  'application/x-bzip2': 'bz2',
  'application/x-xz': 'xz',
  'application/zstd': 'zst',
  'application/x-7z-compressed': '7z',
  'application/vnd.rar': 'rar',
  'application/java-archive': 'jar',
  'application/vnd.android.package-archive': 'apk',
  'application/x-apple-diskimage': 'dmg',
  'application/x-iso9660-image': 'iso',
  'application/vnd.debian.binary-package': 'deb',
  'application/x-rpm': 'rpm',
  'application/x-msdownload': 'exe dll',
  'application/x-shockwave-flash': 'swf',
  'application/wasm': 'wasm',
  'application/vnd.sqlite3': 'sqlite',
  'application/x-bittorrent': 'torrent',
  // fonts and models
  'font/woff': 'woff',
  'font/woff2': 'woff2',
  'font/ttf': 'ttf',
  'font/otf': 'otf',
  'application/vnd.ms-fontobject': 'eot',
  'model/gltf+json': 'gltf',
  'model/gltf-binary': 'glb',
  'model/stl': 'stl',
};

const typeByExtension = new Map<string, string>();
const extensionByType = new Map<string, string>();
for (const [type, row] of Object.entries(TYPES)) {
  for (const extension of row.split(' ')) {
    typeByExtension.set(extension, type);
    if (!extensionByType.has(type)) extensionByType.set(type, extension);
  }
}

/** The extension of a name as written, without its dot; empty if there is none. `.profile` has none. */
export function extensionOf(name: string): string {
  const base = name.slice(name.lastIndexOf('/') + 1);
  const dot = base.lastIndexOf('.');
  return dot <= 0 ? '' : base.slice(dot + 1);
}

export function mimeOfExtension(name: string): string | undefined {
  return typeByExtension.get(extensionOf(name).toLowerCase());
}

export function extensionOfMime(mimeType: string): string | undefined {
  return extensionByType.get(mimeType);
}
