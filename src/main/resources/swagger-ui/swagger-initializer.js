// takes the place of the file of this name in Swagger UI, which shows another document
window.onload = () => {
  window.ui = SwaggerUIBundle({
    url: '/openapi',
    dom_id: '#swagger-ui',
    deepLinking: true,
    presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
    plugins: [SwaggerUIBundle.plugins.DownloadUrl],
    layout: 'StandaloneLayout',
  });
};
