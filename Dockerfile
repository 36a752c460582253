# The program is static; "make release" builds the images of both processors with it.
FROM scratch
ARG TARGETPLATFORM
COPY $TARGETPLATFORM/larder /larder
USER 65532:65532
# The snapshot and the state belong here; SQLite and the demo need it for temporary files too.
WORKDIR /var/lib/larder
ENV HOME=/var/lib/larder TMPDIR=/var/lib/larder SQLITE_TMPDIR=/var/lib/larder LARDER_ADDR=:8080
EXPOSE 8080
ENTRYPOINT ["/larder"]
CMD ["serve"]
